import { callListeners } from '../page/callListeners.ts'
import { absoluteUrl } from './absoluteUrl.ts'
import { checkDomain } from './domains.ts'
import { unreadable } from './files.ts'

const events = {
  Canplay: 'canplay',
  Play: 'play',
  Pause: 'pause',
  Stop: 'stop',
  Ended: 'ended',
  TimeUpdate: 'timeupdate',
  Error: 'error',
  Waiting: 'waiting',
  Seeking: 'seeking',
  Seeked: 'seeked',
} as const
type EventName = keyof typeof events
type Listener = (event: { errMsg?: string; errCode?: number }) => void
type Listeners = { [N in EventName as `on${N}` | `off${N}`]: (listener?: Listener) => void }

/** A sound. Times in seconds. */
export interface AudioContext extends Listeners {
  src: string
  startTime: number
  autoplay: boolean
  loop: boolean
  volume: number
  playbackRate: number
  readonly duration: number
  readonly currentTime: number
  readonly paused: boolean
  readonly buffered: number
  /** Without effect: the device decides. */
  obeyMuteSwitch?: boolean
  /** This and the next four: what the player of a device would show. Without effect. */
  title?: string
  singer?: string
  epname?: string
  coverImgUrl?: string
  webUrl?: string
  play(): void
  pause(): void
  stop(): void
  seek(position: number): void
  destroy(): void
}

/** Creates a sound, which may be loaded from approved hosts, the app's files and temporary files. */
export function createInnerAudioContext(): AudioContext {
  const audio = new Audio()
  const listeners = new Map<string, Set<Listener>>()
  const emit = (name: string, event: object = {}) => callListeners(listeners.get(name) ?? [], event)
  for (const type of Object.values(events)) {
    if (type === 'error' || type === 'stop') continue
    audio.addEventListener(type, () => emit(type))
  }
  const fail = (reason: string, errCode = 10001) =>
    emit('error', { errMsg: `createInnerAudioContext:fail ${reason}`, errCode })
  audio.addEventListener('error', () => {
    const { message } = unreadable(source, audio.error?.message || 'the sound cannot be played')
    fail(message, 10004)
  })
  let source = ''
  const context = {
    get src() {
      return source
    },
    set src(path: string) {
      source = path
      try {
        checkDomain('download', path)
        audio.src = absoluteUrl(path)
        if (context.startTime > 0) audio.currentTime = context.startTime
      } catch (error) {
        // Listeners are often added after the address is set.
        queueMicrotask(() => fail((error as Error).message, 10002))
      }
    },
    startTime: 0,
    play() {
      audio.play().catch((error: Error) => error.name !== 'AbortError' && fail(error.message))
    },
    pause: () => audio.pause(),
    stop() {
      audio.pause()
      audio.currentTime = context.startTime
      emit('stop')
    },
    seek(position: number) {
      audio.currentTime = position
    },
    destroy() {
      audio.pause()
      audio.removeAttribute('src')
      listeners.clear()
    },
    get buffered() {
      return audio.buffered.length > 0 ? audio.buffered.end(audio.buffered.length - 1) : 0
    },
  }
  for (const [name, type] of Object.entries(events)) {
    Object.assign(context, {
      [`on${name}`]: (listener: Listener) => listeners.set(type, (listeners.get(type) ?? new Set()).add(listener)),
      [`off${name}`]: (listener?: Listener) =>
        listener ? listeners.get(type)?.delete(listener) : listeners.delete(type),
    })
  }
  for (const name of ['autoplay', 'loop', 'volume', 'playbackRate', 'duration', 'currentTime', 'paused'] as const) {
    Object.defineProperty(context, name, {
      enumerable: true,
      get: () => (Number.isNaN(audio[name]) ? 0 : audio[name]),
      set: (value: never) => {
        if (name !== 'duration' && name !== 'paused') audio[name] = value
      },
    })
  }
  return context as unknown as AudioContext
}

let background: AudioContext | undefined

/** Returns the one sound that starts to play when it gets an address. It stops when the app is closed. */
export function getBackgroundAudioManager(): AudioContext {
  background ??= createInnerAudioContext()
  background.autoplay = true
  return background
}

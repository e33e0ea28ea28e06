import { findIn } from './componentScope.ts'
import { deferredObject } from './deferredObject.ts'
import type { FileSystemManager } from './fileSystem.ts'

export { createInnerAudioContext, getBackgroundAudioManager } from './audio.ts'
export { createCanvasContext } from './canvasContext.ts'
export { nativeDom } from './nativeDom.ts'
export { getRecorderManager } from './recorder.ts'

/** Controls a video. */
export interface VideoContext {
  /** Starts the video, or continues it. */
  play(): void
  /** Pauses the video. */
  pause(): void
  /** Pauses the video and returns to its start. */
  stop(): void
  /** In seconds. */
  seek(position: number): void
  /** Sets the speed; 1 is the usual one. */
  playbackRate(rate: number): void
  /** With what is drawn above the video, where the browser allows it. */
  requestFullScreen(options?: { direction?: number }): void
  /** Leaves full screen. */
  exitFullScreen(): void
  /** Comments over the video are not drawn. */
  sendDanmu(comment: { text: string; color?: string }): void
  /** Does nothing: there is no status bar in full screen. */
  showStatusBar(): void
  /** Does nothing: there is no status bar in full screen. */
  hideStatusBar(): void
}

/** On iPhones, only the video itself can fill the screen. */
type Video = HTMLVideoElement & { webkitEnterFullscreen?(): void }

/**
 * Returns the controls of the `video` with this id in `component`, by default in the page on top. Without one, calls do
 * nothing.
 */
export function createVideoContext(id: string, component?: unknown): VideoContext {
  const name = `[id="${CSS.escape(id)}"]`
  const video = () => findIn<Video>(component, `neu-video${name} > video, video${name}`, 'createVideoContext')
  const ignored = () => {}
  return {
    play: () => void video()?.play().catch(console.warn),
    pause: () => video()?.pause(),
    stop() {
      video()?.pause()
      this.seek(0)
    },
    seek(position) {
      const element = video()
      if (element) element.currentTime = position
    },
    playbackRate(rate) {
      const element = video()
      if (element) element.playbackRate = rate
    },
    requestFullScreen() {
      const element = video()
      const whole = element?.closest('neu-video') ?? element
      if (whole?.requestFullscreen) whole.requestFullscreen().catch(console.warn)
      else element?.webkitEnterFullscreen?.()
    },
    exitFullScreen: () => void (document.fullscreenElement && document.exitFullscreen()),
    sendDanmu: ignored,
    showStatusBar: ignored,
    hideStatusBar: ignored,
  }
}

/** Releases are updated by the host, when the mini app is opened. */
export interface UpdateManager {
  /** Calls the listener at once, with `hasUpdate` false. */
  onCheckForUpdate(listener: (result: { hasUpdate: false }) => void): void
  /** Does nothing: an update is never ready. */
  onUpdateReady(listener: () => void): void
  /** Does nothing: an update never fails. */
  onUpdateFailed(listener: () => void): void
  /** Does nothing: the host loads the newest release when it opens the mini app. */
  applyUpdate(): void
}

export function getUpdateManager(): UpdateManager {
  const ignored = () => {}
  return {
    onCheckForUpdate: (listener) => listener({ hasUpdate: false }),
    onUpdateReady: ignored,
    onUpdateFailed: ignored,
    applyUpdate: ignored,
  }
}

type MediaFeatures = Record<string, string | number>

/** Notifies when the window matches or stops matching, such as `{ minWidth: 600, orientation: 'landscape' }`. */
export interface MediaQueryObserver {
  /** Watches media features such as `minWidth` in px, and calls the listener with `matches`, at first at once. */
  observe(features: MediaFeatures, listener: (result: { matches: boolean }) => void): void
  /** Stops watching. */
  disconnect(): void
}

export function createMediaQueryObserver(): MediaQueryObserver {
  let stop = () => {}
  return {
    observe(features, listener) {
      const query = Object.entries(features).map(([name, value]) => {
        const feature = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
        return `(${feature}: ${typeof value === 'number' ? `${value}px` : value})`
      })
      const media = matchMedia(query.join(' and '))
      const notify = () => listener({ matches: media.matches })
      media.addEventListener('change', notify)
      stop = () => media.removeEventListener('change', notify)
      notify()
    },
    disconnect: () => stop(),
  }
}

let fileSystem: FileSystemManager | undefined

/** Returns the file system, whose functions wait until the stored files of the app are read. */
export function getFileSystemManager(): FileSystemManager {
  if (fileSystem) return fileSystem
  return deferredObject(
    import('./fileSystem.ts').then(async (loaded) => {
      fileSystem ??= await loaded.fileSystemManager()
      return fileSystem
    }),
  )
}

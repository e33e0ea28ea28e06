import type { AudioContext } from '../audio.ts'
import type { VideoContext } from '../contexts.ts'
import type { FileSystemManager } from '../fileSystem.ts'
import type { ChosenFile } from '../files.ts'
import type { MapContext } from '../map.ts'
import type { RecorderManager } from '../recorder.ts'
import { call, gives, ignored, inHost, inPage, list, number, required, sync, text, type, unchecked } from './entry.ts'

interface ChosenFiles {
  tempFilePaths: string[]
  tempFiles: ChosenFile[]
}

interface ChosenVideo {
  tempFilePath: string
  tempFile: File
  name: string
  size: number
  /** In seconds. */
  duration: number
  width: number
  height: number
}

interface ChosenMedia {
  tempFilePath: string
  fileType: 'image' | 'video'
  size: number
  duration?: number
  width?: number
  height?: number
}

interface ImageInfo {
  width: number
  height: number
  path: string
  orientation: 'up'
  type: string
}

/** Length in seconds, size in bytes. */
interface VideoInfo {
  duration: number
  width: number
  height: number
  size: number
  type: string
}

const chosen = { ...inPage, module: 'chooseFiles', isLoadedWhenCalled: true } as const
const kept = { ...inHost, module: 'fileSystem', isLoadedWhenCalled: true } as const
const downloads = {
  ...inHost,
  module: 'saveFile',
  isLoadedWhenCalled: true,
  method: 'saveFile',
  differs: 'saves to the downloads',
} as const
const object = { ...inPage, module: 'objects' } as const

type Source = 'album' | 'camera'
const src = required(text)
const filePath = required(text)

/** Files, pictures, sounds and videos. */
export const files = {
  /** Lets the user choose images. Fails with `cancel` if none is chosen. */
  chooseImage: call({
    ...inPage,
    module: 'image',
    makesTempFiles: true,
    options: {
      count: unchecked<number>(),
      sourceType: unchecked<Source[]>(),
      extension: unchecked<string[]>(),
      sizeType: ignored<string | string[]>(),
      crop: ignored<object>(),
    },
    result: type<ChosenFiles>(),
  }),
  chooseVideo: call({
    ...chosen,
    makesTempFiles: true,
    options: {
      sourceType: list<Source>(),
      extension: ignored<string[]>(),
      compressed: ignored<boolean>(),
      maxDuration: ignored<number>(),
      camera: ignored<'front' | 'back'>(),
    },
    result: type<ChosenVideo>(),
  }),
  chooseMedia: call({
    ...chosen,
    makesTempFiles: true,
    options: {
      count: number,
      mediaType: list<'image' | 'video' | 'mix'>(),
      sourceType: list<Source>(),
      maxDuration: ignored<number>(),
      sizeType: ignored<string | string[]>(),
      camera: ignored<'front' | 'back'>(),
    },
    result: type<{ type: string; tempFiles: ChosenMedia[] }>(),
  }),
  chooseFile: call({
    ...chosen,
    makesTempFiles: true,
    options: {
      count: number,
      type: unchecked<'image' | 'video' | 'file' | 'all'>(),
      extension: list<string>(),
      sourceType: unchecked<Source[]>(),
      sizeType: ignored<string | string[]>(),
    },
    result: type<ChosenFiles>(),
  }),
  chooseMessageFile: call({
    ...chosen,
    makesTempFiles: true,
    differs: 'opens the file picker',
    options: {
      count: number,
      type: unchecked<'image' | 'video' | 'file' | 'all'>(),
      extension: list<string>(),
    },
    result: type<ChosenFiles>(),
  }),
  getImageInfo: call({ ...inPage, module: 'image', options: { src }, result: type<ImageInfo>() }),
  getVideoInfo: call({ ...chosen, options: { src }, result: type<VideoInfo>() }),
  /** Returns the size in bytes of a temporary file. */
  getFileInfo: call({
    ...chosen,
    options: { filePath, digestAlgorithm: ignored<string>() },
    result: type<{ size: number }>(),
  }),
  /** Encodes an image as JPEG again. `quality` from 0 to 100; the other lengths in px. */
  compressImage: call({
    ...chosen,
    makesTempFiles: true,
    options: {
      src,
      quality: number,
      compressedWidth: unchecked<number>(),
      compressedHeight: unchecked<number>(),
      width: ignored<number | string>(),
      height: ignored<number | string>(),
      rotate: ignored<number>(),
    },
    result: type<{ tempFilePath: string }>(),
  }),
  saveImageToPhotosAlbum: call({ ...downloads, options: { filePath } }),
  saveVideoToPhotosAlbum: call({ ...downloads, options: { filePath } }),
  openDocument: call({
    ...downloads,
    options: { filePath, fileType: ignored<string>(), showMenu: ignored<boolean>() },
  }),
  /** Keeps a copy of a temporary file. */
  saveFile: call({
    ...kept,
    method: 'writeFile',
    options: { tempFilePath: required(text), filePath: text },
    result: type<{ savedFilePath: string }>(),
  }),
  getSavedFileList: call({
    ...kept,
    method: 'readFiles',
    result: type<{ fileList: { filePath: string; size: number; createTime: number }[] }>(),
  }),
  getSavedFileInfo: call({
    ...kept,
    method: 'readFiles',
    options: { filePath },
    result: type<{ size: number; createTime: number }>(),
  }),
  removeSavedFile: call({ ...kept, method: 'removeFile', options: { filePath } }),
  /** Returns the file system, whose functions wait until the stored files of the app are read. */
  getFileSystemManager: gives({
    ...inHost,
    module: 'objects',
    differs: 'reads, writes, copies, lists and removes files, 10 MB in all; the other methods fail',
    is: type<() => FileSystemManager>(),
  }),
  /** Returns the controls of the `video` element with this id in the page on top. Without one, calls do nothing. */
  createVideoContext: gives({
    ...object,
    differs: 'comments are not drawn',
    is: type<(id: string, component?: object | null) => VideoContext>(),
  }),
  /** Returns the controls of the `map` element with this id in the page on top. What they do not have fails. */
  createMapContext: gives({
    ...object,
    differs: 'without layers, arcs, rotation and 3D',
    is: type<(id: string, component?: object | null) => MapContext>(),
  }),
  /** Returns the one recorder of the app. */
  getRecorderManager: gives({
    ...inHost,
    module: 'objects',
    makesTempFiles: true,
    method: 'startRecording',
    differs: 'records in the format of the browser; onFrameRecorded is never called',
    is: type<() => RecorderManager>(),
  }),
  /** Creates a sound, which may be loaded from approved hosts, the app's files and temporary files. */
  createInnerAudioContext: gives({ ...object, is: type<() => AudioContext>() }),
  getBackgroundAudioManager: gives({
    ...object,
    differs: 'plays while the app is open',
    is: type<() => AudioContext>(),
  }),
  /** Loads a font from an approved host or the app's files: `source` is `url("…")`. */
  loadFontFace: call({
    ...inPage,
    module: 'fonts',
    options: {
      family: required(text),
      source: required(text),
      desc: unchecked<{ style?: string; weight?: string; variant?: string }>(),
      global: ignored<boolean>(),
      scopes: ignored<string[]>(),
    },
    result: type<{ status: string }>(),
  }),
  arrayBufferToBase64: sync({ ...object, is: type<(buffer: ArrayBuffer) => string>() }),
  base64ToArrayBuffer: sync({ ...object, is: type<(base64: string) => ArrayBuffer>() }),
}

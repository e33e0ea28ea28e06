import type { AudioContext } from '../audio.ts'
import type { VideoContext } from '../contexts.ts'
import type { FileSystemManager } from '../fileSystem.ts'
import type { ChosenFile } from '../files.ts'
import type { MapContext } from '../map.ts'
import type { RecorderManager } from '../recorder.ts'
import { call, gives, ignored, inHost, inPage, list, number, required, sync, text, type, unchecked } from './entry.ts'

interface ChosenFiles {
  /** Paths of the temporary files. */
  tempFilePaths: string[]
  /** The files, in the order in which they were chosen. */
  tempFiles: ChosenFile[]
}

interface ChosenVideo {
  /** Path of the temporary file. */
  tempFilePath: string
  /** The file itself. */
  tempFile: File
  /** Name of the file on the device. */
  name: string
  /** In bytes. */
  size: number
  /** In seconds. */
  duration: number
  /** In px; 0 if the browser cannot play the video. */
  width: number
  /** In px; 0 if the browser cannot play the video. */
  height: number
}

interface ChosenMedia {
  /** Path of the temporary file. */
  tempFilePath: string
  /** Kind of the file. */
  fileType: 'image' | 'video'
  /** In bytes. */
  size: number
  /** Length of a video in seconds. */
  duration?: number
  /** Width of a video in px. */
  width?: number
  /** Height of a video in px. */
  height?: number
}

interface ImageInfo {
  /** In px. */
  width: number
  /** In px. */
  height: number
  /** Path of the image, for other functions. */
  path: string
  /** Always `up`: browsers have turned the image. */
  orientation: 'up'
  /** Type of the file, such as `png`. */
  type: string
}

/** Length in seconds, size in bytes. */
interface VideoInfo {
  /** In seconds. */
  duration: number
  /** In px. */
  width: number
  /** In px. */
  height: number
  /** In bytes. */
  size: number
  /** Media type, such as `video/mp4`. */
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
    fails: ['canceled'],
    module: 'image',
    makesTempFiles: true,
    options: {
      /** Largest number of images; 9 by default. */
      count: unchecked<number>(),
      /** Where images may come from; `['camera']` opens the camera of phones, and both by default. */
      sourceType: unchecked<Source[]>(),
      /** Extensions of files that may be chosen, such as `['png']`; all images by default. */
      extension: unchecked<string[]>(),
      sizeType: ignored<string | string[]>(),
      crop: ignored<object>(),
    },
    result: type<ChosenFiles>(),
  }),
  /** Lets the user choose or record a video. Fails with `cancel` if none is chosen. */
  chooseVideo: call({
    ...chosen,
    fails: ['canceled'],
    makesTempFiles: true,
    options: {
      /** Where the video may come from; `['camera']` opens the camera of phones, and both by default. */
      sourceType: list<Source>(),
      extension: ignored<string[]>(),
      compressed: ignored<boolean>(),
      maxDuration: ignored<number>(),
      camera: ignored<'front' | 'back'>(),
    },
    result: type<ChosenVideo>(),
  }),
  /** Lets the user choose images and videos. Fails with `cancel` if none is chosen. */
  chooseMedia: call({
    ...chosen,
    fails: ['canceled'],
    makesTempFiles: true,
    options: {
      /** Largest number of files; 9 by default. */
      count: number,
      /** What may be chosen; images and videos by default. */
      mediaType: list<'image' | 'video' | 'mix'>(),
      /** Where files may come from; `['camera']` opens the camera of phones, and both by default. */
      sourceType: list<Source>(),
      maxDuration: ignored<number>(),
      sizeType: ignored<string | string[]>(),
      camera: ignored<'front' | 'back'>(),
    },
    result: type<{
      /** `image`, `video`, or `mix` if both were chosen. */
      type: string
      /** The files, in the order in which they were chosen. */
      tempFiles: ChosenMedia[]
    }>(),
  }),
  /** Lets the user choose files of any kind. Fails with `cancel` if none is chosen. */
  chooseFile: call({
    ...chosen,
    fails: ['canceled'],
    makesTempFiles: true,
    options: {
      /** Largest number of files; 100 by default. */
      count: number,
      /** Kind of files; `all` by default. */
      type: unchecked<'image' | 'video' | 'file' | 'all'>(),
      /** Extensions of files that may be chosen, such as `['pdf']`; they decide instead of `type`. */
      extension: list<string>(),
      /** Where files may come from; `['camera']` opens the camera of phones, and both by default. */
      sourceType: unchecked<Source[]>(),
      sizeType: ignored<string | string[]>(),
    },
    result: type<ChosenFiles>(),
  }),
  /** Lets the user choose files, as `chooseFile` does. Fails with `cancel` if none is chosen. */
  chooseMessageFile: call({
    ...chosen,
    fails: ['canceled'],
    makesTempFiles: true,
    differs: 'opens the file picker',
    options: {
      /** Largest number of files; 100 by default. */
      count: number,
      /** Kind of files; `all` by default. */
      type: unchecked<'image' | 'video' | 'file' | 'all'>(),
      /** Extensions of files that may be chosen, such as `['pdf']`; they decide instead of `type`. */
      extension: list<string>(),
    },
    result: type<ChosenFiles>(),
  }),
  /** Returns size and type of an image: a file of the project, a temporary file, or an address of an approved host. */
  getImageInfo: call({
    ...inPage,
    fails: ['notApproved'],
    module: 'image',
    options: {
      /** Path or address of the image. */
      src,
    },
    result: type<ImageInfo>(),
  }),
  /** Returns length and size of a video. */
  getVideoInfo: call({
    ...chosen,
    fails: ['fileUnreadable', 'videoUnreadable'],
    options: {
      /** Path or address of the video. */
      src,
    },
    result: type<VideoInfo>(),
  }),
  /** Returns the size in bytes of a temporary file. */
  getFileInfo: call({
    ...chosen,
    fails: ['fileUnreadable'],
    options: {
      /** Path of the file. */
      filePath,
      digestAlgorithm: ignored<string>(),
    },
    result: type<{
      /** In bytes. */
      size: number
    }>(),
  }),
  /** Encodes an image as JPEG again, smaller or with less quality. */
  compressImage: call({
    ...chosen,
    fails: ['fileUnreadable'],
    makesTempFiles: true,
    options: {
      /** Path or address of the image. */
      src,
      /** From 0 to 100; 80 by default. */
      quality: number,
      /** Width in px; by default it follows from the height, or stays. */
      compressedWidth: unchecked<number>(),
      /** Height in px; by default it follows from the width. */
      compressedHeight: unchecked<number>(),
      width: ignored<number | string>(),
      height: ignored<number | string>(),
      rotate: ignored<number>(),
    },
    result: type<{
      /** Path of the temporary file, a JPEG. */
      tempFilePath: string
    }>(),
  }),
  /** Saves an image to the device. */
  saveImageToPhotosAlbum: call({
    ...downloads,
    fails: ['fileUnreadable', 'fileKindWrong'],
    options: {
      /** Path of the image. */
      filePath,
    },
  }),
  /** Saves a video to the device. */
  saveVideoToPhotosAlbum: call({
    ...downloads,
    fails: ['fileUnreadable', 'fileKindWrong'],
    options: {
      /** Path of the video. */
      filePath,
    },
  }),
  /** Saves a document to the device, where the user opens it. */
  openDocument: call({
    ...downloads,
    fails: ['fileUnreadable'],
    options: {
      /** Path of the document. */
      filePath,
      fileType: ignored<string>(),
      showMenu: ignored<boolean>(),
    },
  }),
  /** Keeps a copy of a temporary file. */
  saveFile: call({
    ...kept,
    fails: ['fileUnreadable', 'fileForbidden', 'filesFull'],
    method: 'writeFile',
    options: {
      /** Path of the temporary file. */
      tempFilePath: required(text),
      /** Where to keep it, below `neu.env.USER_DATA_PATH`; a new path by default. */
      filePath: text,
    },
    result: type<{
      /** Path of the copy, which stays valid. */
      savedFilePath: string
    }>(),
  }),
  /** Returns the files that `saveFile` has kept. */
  getSavedFileList: call({
    ...kept,
    method: 'readFiles',
    result: type<{
      /** The kept files. */
      fileList: {
        /** Path of the file. */
        filePath: string
        /** In bytes. */
        size: number
        /** Time at which it was kept, in seconds since 1970. */
        createTime: number
      }[]
    }>(),
  }),
  /** Returns size and time of a kept file. */
  getSavedFileInfo: call({
    ...kept,
    fails: ['fileMissing'],
    method: 'readFiles',
    options: {
      /** Path of the file. */
      filePath,
    },
    result: type<{
      /** In bytes. */
      size: number
      /** Time at which it was kept, in seconds since 1970. */
      createTime: number
    }>(),
  }),
  /** Removes a kept file. */
  removeSavedFile: call({
    ...kept,
    fails: ['fileMissing'],
    method: 'removeFile',
    options: {
      /** Path of the file. */
      filePath,
    },
  }),
  /** Returns the file system, whose functions wait until the stored files of the app are read. */
  getFileSystemManager: gives({
    ...inHost,
    fails: ['fileMissing', 'fileForbidden', 'filesFull'],
    module: 'objects',
    differs: 'reads, writes, copies, lists and removes files, 10 MB in all; the other methods fail',
    is: type<() => FileSystemManager>(),
  }),
  /**
   * Returns the controls of the `video` element with this id in the page on top. Without one, calls do nothing.
   * @param id The attribute `id` of the video.
   * @param component Component in which the video is; by default the page on top.
   */
  createVideoContext: gives({
    ...object,
    differs: 'comments are not drawn',
    is: type<(id: string, component?: object | null) => VideoContext>(),
  }),
  /**
   * Returns the controls of the `map` element with this id in the page on top. What they do not have fails.
   * @param id The attribute `id` of the map.
   * @param component Component in which the map is; by default the page on top.
   */
  createMapContext: gives({
    ...object,
    differs: 'without layers, arcs, rotation and 3D',
    is: type<(id: string, component?: object | null) => MapContext>(),
  }),
  /**
   * Returns the one recorder of the app.
   * @returns The recorder, with `start`, `pause`, `resume`, `stop` and listeners such as `onStop`, which gets
   * `tempFilePath`.
   */
  getRecorderManager: gives({
    ...inHost,
    fails: ['notSupported'],
    module: 'objects',
    makesTempFiles: true,
    method: 'startRecording',
    differs: 'records in the format of the browser; onFrameRecorded is never called',
    is: type<() => RecorderManager>(),
  }),
  /**
   * Creates a sound, which may be loaded from approved hosts, the app's files and temporary files.
   * @returns The sound, with `src`, `play`, `pause`, `stop`, `seek`, `destroy` and listeners such as `onEnded`.
   */
  createInnerAudioContext: gives({ ...object, is: type<() => AudioContext>() }),
  /**
   * Returns the one sound that plays on while pages change.
   * @returns The sound, as `createInnerAudioContext` returns it.
   */
  getBackgroundAudioManager: gives({
    ...object,
    differs: 'plays while the app is open',
    is: type<() => AudioContext>(),
  }),
  /** Loads a font from an approved host or the app's files: `source` is `url("…")`. */
  loadFontFace: call({
    ...inPage,
    fails: ['fontWrong', 'notApproved'],
    module: 'fonts',
    options: {
      /** Name of the font, for `font-family`. */
      family: required(text),
      /** Address of the font: `url("https://…")` or `url("/static/…")`. */
      source: required(text),
      /** Which of the styles of the family the font has. */
      desc: unchecked<{
        /** `normal` or `italic`; `normal` by default. */
        style?: string
        /** Weight such as `bold` or `700`; `normal` by default. */
        weight?: string
        /** `normal` or `small-caps`; `normal` by default. */
        variant?: string
      }>(),
      global: ignored<boolean>(),
      scopes: ignored<string[]>(),
    },
    result: type<{
      /** `loaded`. */
      status: string
    }>(),
  }),
  /**
   * Encodes bytes as Base64.
   * @param buffer The bytes.
   * @returns The text.
   */
  arrayBufferToBase64: sync({ ...object, is: type<(buffer: ArrayBuffer) => string>() }),
  /**
   * Decodes Base64.
   * @param base64 The text.
   * @returns The bytes.
   */
  base64ToArrayBuffer: sync({ ...object, is: type<(base64: string) => ArrayBuffer>() }),
}

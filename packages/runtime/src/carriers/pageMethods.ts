import { deviceMethods } from '../host/deviceMethods.ts'
import { hostFiles } from '../host/hostFiles.ts'
import { soundRecorder } from '../host/recording.ts'

/** Methods of a host that the page itself has on H5, where the browser asks the user. */
export const pageMethods = {
  share: deviceMethods.share,
  readSensor: deviceMethods.readSensor,
  ...soundRecorder().methods,
  // All apps of an origin share its database.
  ...hostFiles(new URL('.', document.baseURI).pathname),
}

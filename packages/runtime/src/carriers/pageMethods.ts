import { deviceMethods } from '@souk/shell/device/deviceMethods'
import { hostFiles } from '@souk/shell/device/hostFiles'
import { soundRecorder } from '@souk/shell/device/recording'

/** Methods of a host that the page itself has on H5, where the browser asks the user. */
export const pageMethods = {
  share: deviceMethods.share,
  readSensor: deviceMethods.readSensor,
  ...soundRecorder().methods,
  // All apps of an origin share its database.
  ...hostFiles(new URL('.', document.baseURI).pathname),
}

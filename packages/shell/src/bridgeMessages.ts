import type { FrameMessage, HostMessage, Welcome } from '@souk/contract/bridge'
import type { Bars } from './bars.ts'
import type { BarEvent, Device } from './host.ts'

/** The bridge's messages with the runtime's types for bars, events and devices. */
export type ToHost = FrameMessage<Bars>
export type FromHost = HostMessage<Device, BarEvent>
export type HostWelcome = Welcome<Device>

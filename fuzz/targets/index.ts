import type { Target } from '../target.ts'
import { bodies } from './bodies.ts'
import { bridge } from './bridge.ts'
import { open } from './open.ts'
import { pages } from './pages.ts'
import { filter } from './platform.ts'
import { releases } from './releases.ts'
import { servers } from './server.ts'

/** All fuzz targets. */
export const targets: readonly Target[] = [...open, filter, ...releases, pages, ...bridge, ...servers, bodies]

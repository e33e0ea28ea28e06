/** The inspector of mini apps, loaded by a host when a developer opens it. */

export { default as BackendPanel } from './BackendPanel.vue'
export type { BackendRequests } from './backend.ts'
export { default as Inspector } from './Inspector.vue'
export { createInspection, type Inspection } from './inspection.ts'
export type { PagesSource } from './PagesPanel.vue'
export { createRecords, type InspectionRecords } from './records.ts'

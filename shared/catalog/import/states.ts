import type { Transitions } from '../../platform/states.ts'

export type CatalogJobStatus = 'uploading' | 'queued' | 'running' | 'succeeded' | 'failed'

/** What a background job of the catalog may become. */
export const CATALOG_JOB_STATES: Transitions<CatalogJobStatus> = {
  uploading: ['queued'],
  queued: ['running'],
  running: ['succeeded', 'failed'],
  succeeded: [],
  failed: [],
}

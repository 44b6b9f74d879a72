import type { Transitions } from '#shared/platform/states.ts'

export const CATALOG_JOB_STATUSES = ['uploading', 'queued', 'running', 'succeeded', 'failed'] as const
export type CatalogJobStatus = (typeof CATALOG_JOB_STATUSES)[number]

/** What a background job of the catalog may become. */
export const CATALOG_JOB_STATES: Transitions<CatalogJobStatus> = {
  uploading: ['queued'],
  queued: ['running'],
  running: ['succeeded', 'failed'],
  succeeded: [],
  failed: [],
}

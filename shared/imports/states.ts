import type { Transitions } from '#shared/platform/states.ts'

export const IMPORT_STATUSES = ['uploading', 'queued', 'running', 'succeeded', 'failed'] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]

export const UNFINISHED_STATUSES = [
  'uploading',
  'queued',
  'running',
] as const satisfies readonly ImportStatus[]

export const IMPORT_TRANSITIONS: Transitions<ImportStatus> = {
  uploading: ['queued'],
  queued: ['running'],
  running: ['succeeded', 'failed'],
  succeeded: [],
  failed: [],
}

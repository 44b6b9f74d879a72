import type { Transitions } from '#shared/platform/states.ts'

export const IMAGE_STATUSES = ['processing', 'ready', 'failed'] as const
export type ImageStatus = (typeof IMAGE_STATUSES)[number]

export const IMAGE_TRANSITIONS: Transitions<ImageStatus> = {
  processing: ['ready', 'failed'],
  ready: [],
  failed: [],
}

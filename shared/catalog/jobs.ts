import { Timestamp } from '#shared/platform/http/schema.ts'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/** Reprices the products of which a window opens or closes at a moment. */
export const repriceProducts = defineJob('reprice-products', { at: Timestamp }, { perStore: 1 })

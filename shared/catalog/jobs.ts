import { defineJob } from '../platform/define-job.ts'
import { Timestamp } from '../platform/schema.ts'

/** Reprices the products of which a window opens or closes at a moment. */
export const repriceProducts = defineJob('reprice-products', { at: Timestamp }, { perStore: 1 })

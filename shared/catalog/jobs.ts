import { Timestamp } from '#shared/platform/http/schema.ts'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/** Updates the current prices of products when the window of a sale or price rule starts or ends. */
export const repriceProducts = defineJob('reprice-products', { at: Timestamp }, { perStore: 1 })

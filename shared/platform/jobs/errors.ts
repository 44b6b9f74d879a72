import { defineErrors } from '../errors.ts'

export const QueueErrors = defineErrors({
  unknown: {
    code: 'queue.not_found',
    status: 404,
    message: 'There is no queue of this name. GET /super-admin/queues lists them.',
  },
})

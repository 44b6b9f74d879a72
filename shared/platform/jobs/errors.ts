import { defineErrors } from '#shared/platform/errors.ts'

export const QueueErrors = defineErrors({
  notFound: {
    code: 'queue.not_found',
    status: 404,
    message: 'This queue does not exist. Choose one of GET /super-admin/queues.',
  },
})

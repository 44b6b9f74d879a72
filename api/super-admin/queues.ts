import { Type } from 'typebox'
import { superAdmin } from '#api/platform/auth/access.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { QueueErrors } from '#shared/platform/jobs/errors.ts'
import { FAILED_JOBS, listDeadLetters } from '#shared/platform/jobs/list-dead-letters.ts'
import { readQueues } from '#shared/platform/jobs/queue-status.ts'
import { redriveDeadLetters } from '#shared/platform/jobs/redrive-dead-letters.ts'
import {
  DeadLetterView,
  QueueView,
  RedriveView,
  viewDeadLetter,
  viewQueue,
} from '#shared/super-admin/queue-view.ts'
import { QueueParams, RedriveJobsRequest } from './schemas.ts'

const letterId = '01992f40-1c5e-7d0a-8c1f-3b7a9e2d4c10'

export const listQueues = endpoint({
  method: 'get',
  path: '/super-admin/queues',
  access: superAdmin,
  summary: 'Read the number of jobs in each queue',
  returns: [200, Type.Array(QueueView)],
  example: {
    data: [{ name: 'send-refund', ready: 0, deferred: 1, active: 2, dead_letters: 1, oldest_ready_at: null }],
  },
  async handle() {
    return (await readQueues()).map(viewQueue)
  },
})

export const listFailedJobs = endpoint({
  method: 'get',
  path: '/super-admin/queues/:name/failed',
  access: superAdmin,
  // Log this read, because the jobs of mails contain e-mail addresses.
  audit: { action: 'getSuperAdminQueuesNameFailed', resource: 'queues' },
  transaction: 'manual',
  summary: 'List the jobs that a queue gave up, the latest first',
  params: QueueParams,
  query: listQuery(FAILED_JOBS),
  paginated: true,
  returns: [200, Type.Array(DeadLetterView)],
  errors: [QueueErrors.notFound],
  example: {
    data: [
      {
        id: letterId,
        queue: 'send-refund',
        job_id: '01992f40-0000-7d0a-8c1f-3b7a9e2d4c10',
        payload: { storeId: '0199d1f0-0000-7c3a-9a51-2f6f0c7d9e10', refundId: letterId },
        failure: { message: 'The payment gateway did not answer' },
        retries: 8,
        created_at: '2026-10-10T08:00:00.000Z',
        dead_since: '2026-10-10T09:12:00.000Z',
      },
    ],
  },
  async handle({ params, query, unitOfWork }) {
    const found = await listDeadLetters(params.name, query)
    // The unit of work writes the audit entry.
    return unitOfWork.inPlatform(async () => page(found, query, viewDeadLetter))
  },
})

export const redriveQueue = endpoint({
  method: 'post',
  path: '/super-admin/queues/:name/redrive',
  access: superAdmin,
  audit: { action: 'postSuperAdminQueuesNameRedrive', resource: 'queues' },
  transaction: 'manual',
  summary: 'Put jobs that a queue gave up back into it',
  description:
    'Moves the jobs of `ids`, or the oldest ones, at most `limit`. Each gets all its retries again.',
  params: QueueParams,
  body: RedriveJobsRequest,
  returns: [200, RedriveView],
  errors: [QueueErrors.notFound],
  example: { body: { ids: [letterId], limit: 1000 }, data: { moved: 1 } },
  async handle({ params, body, unitOfWork }) {
    return unitOfWork.inPlatform(async (tx) => ({
      moved: await redriveDeadLetters(tx, params.name, body),
    }))
  },
})

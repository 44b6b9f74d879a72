import type { Operation } from '#api/platform/operation/operation.ts'

/** The `operationId` of an operation, also its action in the audit log: `patchAdminWebhooksWebhookId`. */
export function operationIdOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  const words = path.split(/[/:_-]+/).filter(Boolean)
  return [method, ...words]
    .map((word, i) => (i ? word.charAt(0).toUpperCase() + word.slice(1) : word))
    .join('')
}

import type { Knex } from 'knex'
import { recordOnPlatform } from '#shared/audit/record-change.ts'
import type { Device } from '#shared/identity/device.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { SuperAdmin } from './super-admin.ts'

/** Where a command comes from, as a mail tells of it. */
export const COMMAND_LINE: Device = { ip: null, userAgent: 'command line' }

/**
 * Enters in the platform's log what was done to a super-admin at the server's command line. Who sat there nobody
 * knows, so the entry names the account alone, by no session. To be called last in its transaction.
 */
export const recordCommand = (
  knex: Knex.Transaction,
  { id, email }: SuperAdmin,
  action: 'keepSuperAdmin' | 'resetTwoFactor',
): Promise<void> =>
  recordOnPlatform(knex, {
    actor: { type: 'super_admin', id, email, sessionId: null },
    ip: 'command line',
    requestId: newId(),
    action,
    resourceType: 'super-admins',
    resourceId: id,
    before: null,
    after: null,
  })

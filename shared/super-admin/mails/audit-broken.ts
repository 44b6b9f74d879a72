import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { queuePlatformMail } from '#shared/mail/queue-mail.ts'
import type { PlatformTx } from '#shared/platform/db/store-scope.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { listSuperAdminEmails } from '#shared/super-admin/super-admin.ts'

const Broken = Shape({ name: Type.String(), sequence: Type.Integer(), fault: Type.String() })

/**
 * An audit log whose verification failed: the store's slug or `platform`, and the first entry that no valid proof
 * confirms.
 */
export interface BrokenLog {
  name: string
  sequence: number
  fault: string
}

/** The mail shows this many logs. `npm run audit:verify -- all` shows all. */
const SHOWN = 20

/** Informs the super-admins that audit logs are broken. */
const auditBrokenMail = defineMail(
  'audit-broken',
  Shape({ count: Type.Integer(), logs: Type.Array(Broken) }),
  {
    en: ({ count, logs }, site) => ({
      subject: `Audit logs of ${site.name} are broken`,
      blocks: [
        `The nightly verification found broken audit logs: ${count}. Entries were changed or removed, or an older ` +
          'database was restored.',
        { facts: logs.map(({ name, sequence, fault }) => [name, `at entry ${sequence}: ${fault}`]) },
        'Keep the database as it is, and compare it with a backup. npm run audit:verify -- all shows every log.',
      ],
    }),
    de: ({ count, logs }, site) => ({
      subject: `Prüfprotokolle von ${site.name} sind beschädigt`,
      blocks: [
        `Die nächtliche Prüfung hat beschädigte Prüfprotokolle gefunden: ${count}. Einträge wurden geändert oder ` +
          'entfernt, oder eine ältere Datenbank wurde wiederhergestellt.',
        { facts: logs.map(({ name, sequence, fault }) => [name, `bei Eintrag ${sequence}: ${fault}`]) },
        'Lassen Sie die Datenbank, wie sie ist, und vergleichen Sie sie mit einer Sicherung. npm run audit:verify -- ' +
          'all zeigt jedes Protokoll.',
      ],
    }),
  },
)

/** Queues the mail to every active super-admin. */
export async function mailBrokenLogs(tx: PlatformTx, broken: readonly BrokenLog[]): Promise<void> {
  const data = { count: broken.length, logs: broken.slice(0, SHOWN) }
  for (const email of await listSuperAdminEmails(tx.knex))
    await queuePlatformMail(tx, auditBrokenMail, email, data)
}

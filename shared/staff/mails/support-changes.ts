import { type Static, Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import type { Block } from '#shared/mail/letter.ts'
import { formatTime, type Site } from '#shared/mail/site.ts'
import { Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'

const SupportChange = Shape({
  at: Timestamp,
  action: Type.String(),
  resource_type: Type.String(),
  resource_id: Nullable(Type.String()),
  name: Nullable(Type.String()),
})

const SupportChanges = Shape({
  super_admin_id: Uuid,
  super_admin: Type.String(),
  reason: Type.String(),
  from: Timestamp,
  to: Timestamp,
  /** The first changes, oldest first. */
  changes: Type.Array(SupportChange),
  /** The number of all changes. */
  total: Type.Integer(),
})
type SupportChanges = Static<typeof SupportChanges>

/** Reports to the owner of a store what a support session changed. */
export const supportChangesMail = defineMail('support-changes', SupportChanges, {
  en: (report, site) => ({
    subject: `What support changed in ${site.name}`,
    blocks: [
      `Someone who runs the service signed in to ${site.name} to help, and made changes. The session makes no ` +
        'more.',
      {
        facts: [
          ['Who', report.super_admin],
          ['Reason', report.reason],
          ['From', formatTime(site, report.from)],
          ['To', formatTime(site, report.to)],
          ['Changes', String(report.total)],
        ],
      },
      listOf(report, site),
      ...ifMore(report, (others) => `Not listed here: ${others}`),
      `The audit log of your store shows all of them: GET ${logPath(report)}`,
    ],
  }),
  de: (report, site) => ({
    subject: `Was der Support bei ${site.name} geändert hat`,
    blocks: [
      `Jemand vom Betreiber des Dienstes hat sich bei ${site.name} angemeldet, um zu helfen, und hat etwas geändert. ` +
        'Die Sitzung ändert nichts mehr.',
      {
        facts: [
          ['Wer', report.super_admin],
          ['Grund', report.reason],
          ['Von', formatTime(site, report.from)],
          ['Bis', formatTime(site, report.to)],
          ['Änderungen', String(report.total)],
        ],
      },
      listOf(report, site),
      ...ifMore(report, (others) => `Hier nicht aufgeführt: ${others}`),
      `Das Prüfprotokoll Ihres Shops zeigt alle: GET ${logPath(report)}`,
    ],
  }),
})

/** Returns the changes with their times, as the audit log names them. */
const listOf = ({ changes }: SupportChanges, site: Site): Block => ({
  facts: changes.map(({ at, action, resource_type, resource_id, name }) => [
    formatTime(site, at),
    [`${action}: ${resource_type}`, resource_id, name && `(${name})`].filter(Boolean).join(' '),
  ]),
})

function ifMore({ changes, total }: SupportChanges, write: (others: number) => string): string[] {
  const others = total - changes.length
  return others > 0 ? [write(others)] : []
}

const logPath = ({ super_admin_id, from }: SupportChanges): string =>
  `/admin/audit-log?actor_id=${super_admin_id}&created_from=${from}&sort=created_at`

import type { Static } from 'typebox'
import { linkToStore } from '#shared/mail/site.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { settingsChangedMail } from '#shared/staff/mails/settings-changed.ts'
import { PAGES } from '#shared/stores/settings/links.ts'
import type { Store } from '#shared/stores/store.ts'
import { mailOwnerOfChange } from './mail-owner.ts'
import { actorIdOf, type DomainChanger, emailOf, type SettingsChanger } from './settings-changer.ts'

type MailedSettings = Pick<Store, 'email' | 'links'>

/** Mails the owner if links in mails lead to other pages, or the store has another address. */
export const mailSettingsChange =
  (changer: SettingsChanger) =>
  async (tx: StoreTx, before: MailedSettings, after: MailedSettings): Promise<void> => {
    const changes = changesOf(before, after)
    if (changes.length > 0) await mailChanges(tx, changer, changes)
  }

/** Mails the owner that the store has another primary domain. */
export const mailDomainChange =
  (changer: DomainChanger) =>
  (tx: StoreTx, before: string | null, after: string | null): Promise<void> =>
    mailChanges(tx, changer, [
      { setting: 'domain', before: linkToStore(before, '/'), after: linkToStore(after, '/') },
    ])

async function mailChanges(tx: StoreTx, changer: DomainChanger, changes: Changes): Promise<void> {
  const data = {
    at: now().toISOString(),
    caller: changer.type,
    changed_by: await emailOf(tx, changer),
    changes,
  }
  await mailOwnerOfChange(tx, settingsChangedMail, data, actorIdOf(changer))
}

type Changes = Static<typeof settingsChangedMail.data>['changes']

function changesOf(before: MailedSettings, after: MailedSettings): Changes {
  const all = [
    ...PAGES.map((page) => ({
      setting: `links.${page}`,
      before: before.links[page] ?? null,
      after: after.links[page] ?? null,
    })),
    { setting: 'email', before: before.email, after: after.email },
  ]
  return all.filter((change) => change.before !== change.after)
}

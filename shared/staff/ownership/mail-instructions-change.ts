import type { Static } from 'typebox'
import type { PaymentMethod } from '#shared/payment-methods/payment-method.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Texts } from '#shared/platform/text.ts'
import { now } from '#shared/platform/time/clock.ts'
import { paymentInstructionsChangedMail } from '#shared/staff/mails/payment-instructions-changed.ts'
import { readStore, type Store } from '#shared/stores/store.ts'
import { mailOwnerOfChange } from './mail-owner.ts'
import { actorIdOf, emailOf, type SettingsChanger } from './settings-changer.ts'

/** The most texts that the mail shows in languages that no buyer reads. Each has up to 2,000 characters. */
const MAX_OTHERS_SHOWN = 10

/** Mails the owner if the name or the instructions of a payment method change: they can name another bank account. */
export const mailInstructionsChange =
  (changer: SettingsChanger) =>
  async (tx: StoreTx, before: PaymentMethod, after: PaymentMethod): Promise<void> => {
    const store = await readStore(tx)
    const parts = [
      changesOf(store, 'instructions', before.instructionsI18n, after.instructionsI18n),
      changesOf(store, 'name', before.nameI18n, after.nameI18n),
    ]
    const changes = parts.flatMap(({ read }) => read)
    // Many texts that no buyer reads must not hide one that buyers read.
    const others = parts.flatMap(({ unread }) => unread)
    if (changes.length + others.length === 0) return
    const data = {
      at: now().toISOString(),
      changed_by: await emailOf(tx, changer),
      by_api_token: changer.type === 'api_token',
      payment_method: after.code,
      changes: [...changes, ...others.slice(0, MAX_OTHERS_SHOWN)],
      more: Math.max(0, others.length - MAX_OTHERS_SHOWN),
    }
    await mailOwnerOfChange(tx, paymentInstructionsChangedMail, data, actorIdOf(changer))
  }

type Change = Static<typeof paymentInstructionsChangedMail.data>['changes'][number]

/** Returns the changed texts, by whether buyers read them. */
function changesOf(
  { defaultLanguage, languages }: Store,
  text: Change['text'],
  before: Texts,
  after: Texts,
): { read: Change[]; unread: Change[] } {
  // Without a text in their language or the default one, buyers read the first, see `pickText`.
  const read = new Set([defaultLanguage, ...languages, firstOf(before), firstOf(after)])
  const changes = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .filter((language) => before[language] !== after[language])
    .map((language) => ({
      text,
      language,
      before: before[language] ?? null,
      after: after[language] ?? null,
    }))
  return {
    read: changes.filter(({ language }) => read.has(language)),
    unread: changes.filter(({ language }) => !read.has(language)),
  }
}

const firstOf = (texts: Texts): string | undefined => Object.keys(texts)[0]

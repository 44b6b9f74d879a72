import type { Static } from 'typebox'
import type { PaymentMethod } from '#shared/payment-methods/payment-method.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { paymentInstructionsChangedMail } from '#shared/staff/mails/payment-instructions-changed.ts'
import { readStore } from '#shared/stores/store.ts'
import { mailOwnerOfChange } from './mail-owner.ts'
import { actorIdOf, emailOf, type SettingsChanger } from './settings-changer.ts'

/** How many texts in languages of others than the buyers the mail shows. Each has up to 2,000 characters. */
const MAX_OTHERS_SHOWN = 10

/** Mails the owner if the name or the instructions of a payment method change: they can name another bank account. */
export const mailInstructionsChange =
  (changer: SettingsChanger) =>
  async (tx: StoreTx, before: PaymentMethod, after: PaymentMethod): Promise<void> => {
    const { defaultLanguage, languages } = await readStore(tx)
    const isRead = ({ language }: Change) => language === defaultLanguage || languages.includes(language)
    const changes = [
      ...changesOf('instructions', before.instructionsI18n, after.instructionsI18n),
      ...changesOf('name', before.nameI18n, after.nameI18n),
    ]
    if (changes.length === 0) return
    // Many texts in languages that no buyer reads must not hide another one.
    const others = changes.filter((change) => !isRead(change))
    const data = {
      at: now().toISOString(),
      changed_by: await emailOf(tx, changer),
      by_api_token: changer.type === 'api_token',
      payment_method: after.code,
      changes: [...changes.filter(isRead), ...others.slice(0, MAX_OTHERS_SHOWN)],
      more: Math.max(0, others.length - MAX_OTHERS_SHOWN),
    }
    await mailOwnerOfChange(tx, paymentInstructionsChangedMail, data, actorIdOf(changer))
  }

type Change = Static<typeof paymentInstructionsChangedMail.data>['changes'][number]

function changesOf(
  text: Change['text'],
  before: Record<string, string>,
  after: Record<string, string>,
): Change[] {
  const languages = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return languages
    .filter((language) => before[language] !== after[language])
    .map((language) => ({
      text,
      language,
      before: before[language] ?? null,
      after: after[language] ?? null,
    }))
}

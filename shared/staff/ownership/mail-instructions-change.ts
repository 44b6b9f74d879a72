import type { Static } from 'typebox'
import type { PaymentMethod } from '#shared/payment-methods/payment-method.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { paymentInstructionsChangedMail } from '#shared/staff/mails/payment-instructions-changed.ts'
import { readStore } from '#shared/stores/store.ts'
import { mailOwnerOfChange } from './mail-owner.ts'
import { actorIdOf, emailOf, type SettingsChanger } from './settings-changer.ts'

/** Each text has up to 2,000 characters. */
const MAX_SHOWN = 10

/** Mails the owner if the name or the instructions of a payment method change: they can name another bank account. */
export const mailInstructionsChange =
  (changer: SettingsChanger) =>
  async (tx: StoreTx, before: PaymentMethod, after: PaymentMethod): Promise<void> => {
    const { defaultLanguage, languages } = await readStore(tx)
    // The mail shows the first ones. Many names must not hide the instructions, nor new texts a replaced one, nor
    // languages that no buyer reads those of the store.
    const placeOf = ({ language, before: replaced }: Changes[number]): number => {
      if (language === defaultLanguage) return 0
      if (replaced !== null) return 1
      return languages.includes(language) ? 2 : 3
    }
    const changes = [
      ...changesOf('instructions', before.instructionsI18n, after.instructionsI18n),
      ...changesOf('name', before.nameI18n, after.nameI18n),
    ].sort((one, other) => placeOf(one) - placeOf(other))
    if (changes.length === 0) return
    const data = {
      at: now().toISOString(),
      changed_by: await emailOf(tx, changer),
      by_api_token: changer.type === 'api_token',
      payment_method: after.code,
      changes: changes.slice(0, MAX_SHOWN),
      more: Math.max(0, changes.length - MAX_SHOWN),
    }
    await mailOwnerOfChange(tx, paymentInstructionsChangedMail, data, actorIdOf(changer))
  }

type Changes = Static<typeof paymentInstructionsChangedMail.data>['changes']

function changesOf(
  text: Changes[number]['text'],
  before: Record<string, string>,
  after: Record<string, string>,
): Changes {
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

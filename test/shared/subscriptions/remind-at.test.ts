import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ReminderKind, reminderKind } from '#shared/subscriptions/remind-at.ts'

/** A month by month subscription after two free months. */
const TERMS = {
  nameI18n: { en: 'Monthly' },
  duration: 1,
  durationUnit: 'month',
  cycle: 0,
  trial: { priceMinor: 0, duration: 1, durationUnit: 'month', cycle: 2, maxQuantity: 1 },
} as const

const CASES: Record<string, [{ position: number; chargeNo: number }, ReminderKind | null]> = {
  'a charge of a free trial has no reminder': [{ position: 1, chargeNo: 2 }, null],
  'the first charge after a free trial has one': [{ position: 2, chargeNo: 3 }, 'trial_ends'],
  'so does one after a charge of the trial that was ordered anew': [
    { position: 2, chargeNo: 4 },
    'trial_ends',
  ],
  'so does one after a pause that skipped the end of the trial': [{ position: 5, chargeNo: 2 }, 'trial_ends'],
  'the second charge after a free trial has none': [{ position: 3, chargeNo: 4 }, null],
}

for (const [title, [given, kind]] of Object.entries(CASES))
  test(title, () => {
    const rest = {
      status: 'active',
      nextChargeAt: null,
      cancelsAtPeriodEnd: false,
      remindedFor: null,
    } as const
    assert.equal(reminderKind({ terms: TERMS, ...given, ...rest }), kind)
  })

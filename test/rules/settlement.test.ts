import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSources } from '#test/rules/support/sources.ts'

/** The functions that change a payment without booking earlier refunds on it, and the only files that may name them. */
const CALLERS: Record<string, string[]> = {
  applyGatewayStatus: ['shared/settlement/settle-payment.ts'],
  recordCapture: ['shared/payments/gateway/apply-gateway-status.ts'],
  applyMismatchDecision: ['shared/settlement/resolve-mismatch.ts'],
  recordOfflinePayment: [
    // Orders of the sandbox have no refunds by a gateway or a bank.
    'shared/checkout/place-by-payment-method.ts',
    'shared/settlement/mark-order-paid.ts',
    'shared/subscriptions/charges/charge-subscription.ts',
  ],
}

const sources = [
  ...(await readSources('api')),
  ...(await readSources('shared')),
  ...(await readSources('workers')),
]

for (const [name, callers] of Object.entries(CALLERS))
  test(`only the listed files import ${name}, because it books no earlier refunds`, () => {
    const importsName = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\}`)
    const found = sources.filter(({ text }) => importsName.test(text)).map(({ path }) => path)
    assert.deepEqual(found.sort(), callers)
  })

import type { PaymentIntent, SetupIntent } from './types.ts'

/** Simulates the bank's page that authenticates a cardholder. */
export const authenticationPage = (intent: PaymentIntent | SetupIntent) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Your bank asks</title>
<body style="font: 16px/1.5 system-ui; max-width: 30rem; margin: 4rem auto">
<h1>Your bank asks</h1>
<p>Do you agree to ${requestOf(intent)} for ${intent.id}?</p>
<form method="post"><button name="outcome" value="agree">Agree</button>
<button name="outcome" value="refuse">Refuse</button></form>
</body></html>`

const requestOf = (intent: PaymentIntent | SetupIntent) =>
  intent.object === 'setup_intent'
    ? 'save this card'
    : `pay ${intent.amount} ${intent.currency.toUpperCase()} (in minor units)`

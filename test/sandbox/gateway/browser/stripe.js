// A stand-in of Stripe.js for the sandbox, with the documented interface as far as the built-in pages use it. Instead of
// fields for a card it lists the gateway's test cards. Like Stripe's library it confirms with the publishable key and the
// client secret, shows the bank's page in a frame, and redirects where the payment method requires it.

const gateway = new URL(document.currentScript.src).origin
const POLL_MS = 300

const CARDS = [
  { label: '4242 4242 4242 4242: works', method: 'pm_card_visa' },
  { label: '5555 5555 5555 4444: works', method: 'pm_card_mastercard' },
  { label: '4000 0000 0000 0002: is declined', method: 'pm_card_chargeDeclined' },
  { label: '4000 0000 0000 9995: has insufficient funds', method: 'pm_card_chargeDeclinedInsufficientFunds' },
  { label: '4000 0000 0000 0341: is saved, and declined later', method: 'pm_card_chargeCustomerFail' },
  { label: '4000 0027 6000 3184: needs authentication', method: 'pm_card_authenticationRequired' },
  {
    label: 'A bank that authenticates on its own page',
    method: 'pm_card_threeDSecure2Required',
    redirects: true,
  },
]

/** An error that Stripe.js throws for a wrong call. */
class IntegrationError extends Error {}

window.Stripe = (publishableKey) => {
  if (!/^pk_/.test(publishableKey)) throw new IntegrationError('A publishable key is required.')
  const call = async (method, path, params) => {
    const query = new URLSearchParams(params)
    const response = await fetch(`${gateway}${path}${method === 'GET' ? `?${query}` : ''}`, {
      method,
      headers: { Authorization: `Bearer ${publishableKey}` },
      ...(method === 'GET' ? {} : { body: query }),
    })
    return response.json()
  }
  return {
    elements: createElements,
    confirmPayment: (options) => confirm(call, { ...options, object: 'payment_intent' }),
    confirmSetup: (options) => confirm(call, { ...options, object: 'setup_intent' }),
  }
}

function createElements({ clientSecret }) {
  const choice = document.createElement('select')
  choice.append(...CARDS.map(({ label }, index) => new Option(label, String(index))))
  return {
    clientSecret,
    chosenCard: () => CARDS[Number(choice.value)],
    create(type) {
      if (type !== 'payment') throw new IntegrationError(`The stand-in has no element "${type}".`)
      return { mount: (host) => host.append(labelled('Test card', choice)), destroy: () => choice.remove() }
    },
  }
}

function labelled(text, control) {
  const label = document.createElement('label')
  label.append(text, control)
  return label
}

/** Confirms an intent as `confirmPayment` and `confirmSetup` do: `{ error }`, `{ paymentIntent }` or `{ setupIntent }`. */
async function confirm(call, { object, elements, confirmParams, redirect }) {
  if (redirect !== 'if_required') throw new IntegrationError('The stand-in redirects only if required.')
  const { clientSecret } = elements
  const { method, redirects } = elements.chosenCard()
  const path = `/v1/${object}s/${clientSecret.split('_secret_')[0]}`
  const confirmed = await call('POST', `${path}/confirm`, {
    client_secret: clientSecret,
    payment_method: method,
    ...(redirects ? { return_url: confirmParams.return_url } : {}),
  })
  if (confirmed.error) return confirmed
  const intent = await authenticate(confirmed, () => call('GET', path, { client_secret: clientSecret }))
  const error = intent.last_payment_error ?? intent.last_setup_error
  if (error) return { error }
  return object === 'setup_intent' ? { setupIntent: intent } : { paymentIntent: intent }
}

/** Lets the cardholder answer the bank, and resolves with the intent afterwards. A redirect leaves the page instead. */
async function authenticate(confirmed, read) {
  const { next_action: action } = confirmed
  if (!action) return confirmed
  if (action.type === 'redirect_to_url') {
    location.assign(action.redirect_to_url.url)
    return new Promise(() => {})
  }
  const bank = document.createElement('dialog')
  const frame = document.createElement('iframe')
  frame.src = action.use_stripe_sdk.stripe_js
  frame.title = 'Your bank'
  Object.assign(frame.style, { width: 'min(22rem, 80vw)', height: '20rem', border: '0', background: 'white' })
  bank.append(frame)
  document.body.append(bank)
  bank.showModal()
  let intent = confirmed
  while (intent.status === 'requires_action') {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    intent = await read()
  }
  bank.remove()
  return intent
}

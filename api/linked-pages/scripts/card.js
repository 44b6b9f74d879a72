import { attempt, cards, language, say, texts } from './page-state.js'

// The gateway's own library reads the card, so no card data reaches this page.

const form = document.querySelector('#card-form')
const host = form.querySelector('#card')
const [button, back] = form.querySelectorAll('button')
let library

const loadLibrary = () => {
  library ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = cards.library
    script.onload = () => resolve(window.Stripe)
    script.onerror = () => {
      library = undefined
      script.remove()
      reject(new Error(`${cards.library} cannot be loaded`))
    }
    document.head.append(script)
  })
  return library
}

/** The message for each status of `confirmCard` without a confirmation. */
export const NOT_CONFIRMED = { gone: texts.again, unavailable: texts.unavailable, left: '' }

// The statuses of a payment that is not open at the gateway.
const UNOPENED = ['pending', 'failed', 'canceled']

/**
 * Asks the buyer to confirm a payment or a card setup with a card, again after each decline. Resolves with the status
 * of the gateway: `succeeded`, `processing`, …; `gone` when it can no longer be confirmed, `unavailable` when it
 * cannot be yet, `left` when the buyer goes back.
 */
export async function confirmCard({ kind, status, client_secret: clientSecret }, label) {
  if (!clientSecret) return UNOPENED.includes(status) ? 'unavailable' : status
  const Stripe = await loadLibrary()
  const stripe = Stripe(cards.key, { locale: language })
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  const elements = stripe.elements({ clientSecret, appearance: { theme: isDark ? 'night' : 'stripe' } })
  const element = elements.create('payment')
  host.replaceChildren()
  element.mount(host)
  button.textContent = label
  form.hidden = false
  const confirm = kind === 'setup' ? stripe.confirmSetup : stripe.confirmPayment
  const options = {
    elements,
    confirmParams: { return_url: location.origin + location.pathname },
    redirect: 'if_required',
  }
  return new Promise((resolve) => {
    const end = (status) => {
      form.hidden = true
      element.destroy()
      resolve(status)
    }
    back.onclick = () => end('left')
    form.onsubmit = (event) => {
      event.preventDefault()
      void attempt(form, async () => {
        const { error, paymentIntent, setupIntent } = await confirm(options)
        const isGone = error?.code?.endsWith('_unexpected_state')
        if (error && !isGone) return say(error.message)
        end(isGone ? 'gone' : (paymentIntent ?? setupIntent).status)
      })
    }
  })
}

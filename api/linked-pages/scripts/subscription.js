import { confirmCard, NOT_CONFIRMED } from './card.js'
import { link, redirectStatus } from './link.js'
import { cards, explain, say, texts } from './page-state.js'
import { payOrder } from './pay-order.js'
import { ask } from './question.js'
import { call, readUntil } from './service.js'
import { accessToken, signInFor } from './session.js'
import { amountsOf, describeFailure, describeNext, factsOf, formatDate } from './subscription-rows.js'
import { fillTable } from './table.js'

// Shows the subscription of a link to its customer, who pays an open charge, gives another card, or changes it.

const section = document.querySelector('#subscription')
const actions = document.querySelector('#actions')
const id = link.get('subscription')
const path = `/subscriptions/${encodeURIComponent(id)}`
let store
let subscription

const isUnpaid = ({ status }) => status === 'past_due' || status === 'suspended'
/** A charge that could not even be ordered. Its reason is an error code, such as `checkout.insufficient_stock`. */
const isUnordered = (charge) => charge !== null && !charge.order_id && charge.reason.includes('.')
const mayResume = ({ status, failed_charge }) =>
  status === 'paused' || (status === 'suspended' && isUnordered(failed_charge))
const isRunning = ({ status, cancels_at_period_end }) => status === 'active' && !cancels_at_period_end

/** What the customer can do, in the order of the buttons. */
const ACTIONS = [
  { name: 'pay', fits: ({ failed_charge }) => cards && failed_charge?.order_id, act: payCharge },
  {
    name: 'card',
    fits: ({ status, payment_method }) =>
      cards && payment_method === 'card' && ['active', 'past_due', 'suspended', 'paused'].includes(status),
    act: giveCard,
  },
  {
    name: 'skip',
    fits: (found) => isRunning(found) && !found.failed_charge && !found.is_trial,
    act: () => confirmAndSend('skip', [['skip', texts.skip]]),
  },
  { name: 'pause', fits: isRunning, act: () => confirmAndSend('pause', [['pause', texts.pause]]) },
  { name: 'resume', fits: mayResume, act: () => send('resume') },
  {
    name: 'keep',
    fits: (found) => found.status === 'active' && !isRunning(found),
    act: () => send('resume'),
  },
  {
    name: 'cancel',
    fits: ({ status }) => ['pending', 'active', 'past_due', 'suspended', 'paused'].includes(status),
    act: cancel,
  },
]

const read = () => call(`GET ${path}`, { token: accessToken() })

function show(found) {
  subscription = found
  document.querySelector('#state').textContent = texts[found.status]
  document.querySelector('#failure').textContent = describeFailure(found, store)
  fillTable(document.querySelector('#facts'), factsOf(found, store))
  document.querySelector('#next').textContent = describeNext(found, store)
  fillTable(document.querySelector('#amounts'), amountsOf(found, store))
  actions.replaceChildren(...ACTIONS.filter(({ fits }) => fits(found)).map(buttonOf))
  section.hidden = false
  if (isUnpaid(found) && !cards) say(texts.shopPays)
}

function buttonOf({ name, act }) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = texts[name]
  button.addEventListener('click', () => perform(act))
  return button
}

/** Does one thing at a time. Afterwards the page shows the subscription as it is then. */
async function perform(act) {
  actions.hidden = true
  say('')
  try {
    await act()
  } catch (error) {
    explain(error)
  }
  try {
    show(await read())
    actions.hidden = false
  } catch (error) {
    explain(error)
  }
}

async function payCharge() {
  await finish(await payOrder(subscription.failed_charge.order_id), {
    isOver: ({ failed_charge }) => !failed_charge,
    done: texts.paid,
  })
}

async function giveCard() {
  const before = subscription
  const setup = await call(`POST ${path}/payment-method`, { token: accessToken(), isRepeatable: true })
  // A new card is charged immediately with the open amount.
  const isTried = ({ failed_charge }) =>
    !failed_charge || failed_charge.attempts > before.failed_charge?.attempts
  await finish(await confirmCard(setup, texts.saveCard), {
    isOver: (found) => found.updated_at !== before.updated_at && (!isUnpaid(before) || isTried(found)),
    done: isUnpaid(before) ? texts.cardCharged : texts.cardSaved,
  })
}

/** Waits until the gateway's notification has changed the subscription. */
async function finish(status, { isOver, done }) {
  if (status in NOT_CONFIRMED) return say(NOT_CONFIRMED[status])
  say(texts.waiting)
  const found = await readUntil(read, isOver)
  if (!isOver(found)) return say(texts.underWay)
  say(found.failed_charge ? texts.failedAgain : done)
}

async function confirmAndSend(operation, answers) {
  const date = formatDate(subscription.next_charge_at, store)
  if (await ask(texts.questions[operation].replace('{date}', date), answers)) await send(operation)
}

async function cancel() {
  const endsLater = isRunning(subscription) && !subscription.failed_charge
  const date = endsLater ? formatDate(subscription.next_charge_at, store) : ''
  const at = await ask(texts.questions.cancel, [
    ...(endsLater ? [['period_end', `${texts.cancelOn} ${date}`]] : []),
    ['now', texts.cancelNow],
  ])
  if (at) await send(`cancel?at=${at}`)
}

async function send(operation) {
  await call(`POST ${path}/${operation}`, { token: accessToken() })
  say(texts.done)
}

async function load() {
  store = await call('GET /settings/store-info')
  show(await read())
  if (redirectStatus) say(redirectStatus === 'failed' ? texts.notPaid : texts.returned)
}

if (!id) say(texts.incomplete)
else {
  signInFor(load)
  if (redirectStatus) say(texts.signInForOutcome)
}

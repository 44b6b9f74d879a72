import { Refusal } from './service.js'

/** The texts of the page in its language, and how it takes cards: `{ key, library }`, or null. */
export const { texts, cards } = JSON.parse(document.querySelector('#settings').textContent)

export const language = document.documentElement.lang

const status = document.querySelector('[role=status]')
export const say = (text) => {
  status.textContent = text
  if (text) status.scrollIntoView({ block: 'nearest' })
}

/** Shows what went wrong: in the page's language where it has a text for the error's code. */
export function explain(error) {
  if (!(error instanceof Refusal)) console.error(error)
  say(error instanceof Refusal ? (texts.errors[error.code] ?? error.message) : texts.unreachable)
}

/** Does something once at a time: its buttons are disabled until it ends. Errors are shown. */
export async function attempt(container, work) {
  const buttons = container.querySelectorAll('button')
  for (const button of buttons) button.disabled = true
  say('')
  try {
    await work()
  } catch (error) {
    explain(error)
  } finally {
    for (const button of buttons) button.disabled = false
  }
}

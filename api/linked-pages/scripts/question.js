import { texts } from './page-state.js'

const dialog = document.querySelector('dialog')

/** Asks before something is done. Resolves with the value of the chosen answer; empty when the customer chose none. */
export function ask(question, answers) {
  dialog.querySelector('p').textContent = question
  const options = [...answers, ['', texts.no]]
  dialog.querySelector('form').replaceChildren(
    ...options.map(([value, label]) => {
      const button = document.createElement('button')
      button.value = value
      button.textContent = label
      return button
    }),
  )
  dialog.returnValue = ''
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue)
  })
}

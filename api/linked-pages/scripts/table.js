import { language } from './page-state.js'

/** Fills a table with rows of a name and a value. */
export function fillTable(table, rows) {
  table.replaceChildren()
  for (const [name, value] of rows) {
    const cells = table.insertRow()
    cells.insertCell().textContent = name
    cells.insertCell().textContent = value
  }
}

export const formatMoney = (amount, currency) =>
  new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount)

/** What anonymizing and deleting an account erase, in the descriptions of both operations. */
export const ERASURE =
  'Erases names, addresses, telephone numbers, notes, devices and links to identity providers for ever: in the ' +
  'account, in orders, returns, gift vouchers and questions, in events and webhooks, queued mails, the audit log and ' +
  'stored responses. Amounts, taxes, countries and postcodes of orders stay. Guest orders with the same address are ' +
  'included, if the address was verified. Refused while business is open, a payment is disputed at ' +
  'the bank, or received goods are not paid; the message names it.'

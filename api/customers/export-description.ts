/** How to export more than one response holds, and what an export leaves out, in both operations' descriptions. */
export const EXPORT_PARTS =
  'A response holds about a thousand orders. If it would be too large (422 `response.too_large`), export it by ' +
  '`created_from` and `created_to` in several requests: each has the account and the records created in its period. ' +
  'Gift vouchers to or from the customer that others ordered and have not paid are not in it; anonymizing erases ' +
  'them, too, and staff find them by the address in the list of gift vouchers.'

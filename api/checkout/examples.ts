import { orderExample } from '#api/orders/examples.ts'

export const checkoutExample = {
  email: orderExample.email,
  firstname: orderExample.firstname,
  lastname: orderExample.lastname,
  telephone: orderExample.telephone,
  shipping_address: orderExample.shipping_address,
  shipping_method_id: orderExample.shipping_method.id,
  payment_method: orderExample.payment_method,
  expected_total: orderExample.total,
}

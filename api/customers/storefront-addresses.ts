import { Type } from 'typebox'
import { customer } from '#api/platform/auth/access.ts'
import { reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { createCustomerAddress as create } from '#shared/customers/addresses/create-customer-address.ts'
import { deleteCustomerAddress as remove } from '#shared/customers/addresses/delete-customer-address.ts'
import { updateCustomerAddress as update } from '#shared/customers/addresses/update-customer-address.ts'
import {
  CustomerAddressView,
  listCustomerAddresses as list,
  MAX_ADDRESSES,
  viewCustomerAddress,
} from '#shared/customers/customer-address.ts'
import { AddressErrors } from '#shared/customers/errors.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { splitDefaults } from './read-request.ts'
import { AddressParams, CreateAddressRequest, UpdateAddressRequest } from './schemas.ts'

const address = {
  firstname: 'Ada',
  lastname: 'Byron',
  address_1: 'Quay 12',
  city: 'Kiel',
  postcode: '24103',
  country: 'DE',
  zone: 'DE-SH',
}
const example = {
  id: '0199b1c2-7a10-7c3e-8f21-5b8de0a4c0a1',
  ...address,
  is_default_shipping: true,
  is_default_billing: true,
  created_at: '2026-10-11T09:30:00.000Z',
  updated_at: '2026-10-11T09:30:00.000Z',
}

export const listCustomerAddresses = endpoint({
  method: 'get',
  path: '/addresses',
  access: customer,
  summary: "Read the customer's address book",
  description: `The defaults first, then the newest; at most ${MAX_ADDRESSES}.`,
  returns: [200, Type.Array(CustomerAddressView)],
  example: { data: [example] },
  async handle({ tx, customer }) {
    return (await list(tx, customer.id)).map(viewCustomerAddress)
  },
})

export const createCustomerAddress = endpoint({
  method: 'post',
  path: '/addresses',
  access: customer,
  summary: "Add an address to the customer's address book",
  description: 'The first address is the default for shipping and billing unless the flags say otherwise.',
  body: CreateAddressRequest,
  returns: [201, CustomerAddressView],
  errors: [AddressErrors.limitReached],
  example: { body: address, data: example },
  async handle({ tx, customer, body }) {
    const { fields, defaults } = splitDefaults(body)
    return reply(201, viewCustomerAddress(await create(tx, customer.id, fields, defaults)))
  },
})

export const updateCustomerAddress = endpoint({
  method: 'patch',
  path: '/addresses/:id',
  access: customer,
  summary: 'Change an address, or make it a default',
  description:
    'Fields that the body omits keep their values. At most one address is the default for shipping, one for billing.',
  params: AddressParams,
  body: UpdateAddressRequest,
  returns: [200, CustomerAddressView],
  errors: [CommonErrors.notFound],
  example: { body: { is_default_shipping: true }, data: example },
  async handle({ tx, customer, params, body }) {
    const { fields, defaults } = splitDefaults(body)
    return viewCustomerAddress(await update(tx, customer.id, params.id, fields, defaults))
  },
})

export const deleteCustomerAddress = endpoint({
  method: 'delete',
  path: '/addresses/:id',
  access: customer,
  summary: "Delete an address from the customer's address book",
  description: 'Orders keep the address they were placed with. No other becomes the default in its place.',
  params: AddressParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound],
  example: { data: null },
  async handle({ tx, customer, params }) {
    await remove(tx, customer.id, params.id)
    return null
  },
})

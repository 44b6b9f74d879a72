import { attributeGroups, attributes } from '#shared/catalog/taxonomy/attribute.ts'
import { AttributeView, NamedTermView, viewAttribute, viewNamedTerm } from '#shared/catalog/taxonomy/view.ts'
import { termEndpoints } from './term-endpoints.ts'
import { attributeExample, namedExample } from './term-examples.ts'
import {
  CreateAttributeRequest,
  CreateNamedTermRequest,
  UpdateAttributeRequest,
  UpdateNamedTermRequest,
} from './term-schemas.ts'

export const {
  list: listAttributeGroups,
  create: createAttributeGroup,
  read: readAttributeGroup,
  update: updateAttributeGroup,
  remove: deleteAttributeGroup,
} = termEndpoints({
  path: '/admin/attribute-groups',
  audit: {
    resource: 'attribute-groups',
    create: 'postAdminAttributeGroups',
    update: 'patchAdminAttributeGroupsGroupId',
    delete: 'deleteAdminAttributeGroupsGroupId',
  },
  param: 'group_id',
  one: 'an attribute group',
  many: 'attribute groups',
  taxonomy: attributeGroups,
  view: viewNamedTerm,
  returns: NamedTermView,
  createBody: CreateNamedTermRequest,
  updateBody: UpdateNamedTermRequest,
  inUseWhen: 'it holds attributes',
  example: namedExample({ en: 'Fabric', de: 'Stoff' }),
})

export const {
  list: listAttributes,
  create: createAttribute,
  read: readAttribute,
  update: updateAttribute,
  remove: deleteAttribute,
} = termEndpoints({
  path: '/admin/attributes',
  audit: {
    resource: 'attributes',
    create: 'postAdminAttributes',
    update: 'patchAdminAttributesAttributeId',
    delete: 'deleteAdminAttributesAttributeId',
  },
  param: 'attribute_id',
  one: 'an attribute',
  many: 'attributes',
  taxonomy: attributes,
  view: viewAttribute,
  returns: AttributeView,
  createBody: CreateAttributeRequest,
  updateBody: UpdateAttributeRequest,
  inUseWhen: 'a product has a value of it',
  example: attributeExample,
})

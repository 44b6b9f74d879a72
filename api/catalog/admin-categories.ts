import { categories } from '#shared/catalog/taxonomy/category.ts'
import { CategoryView, viewCategory } from '#shared/catalog/taxonomy/view.ts'
import { termEndpoints } from './term-endpoints.ts'
import { categoryExample } from './term-examples.ts'
import { CreateCategoryRequest, UpdateCategoryRequest } from './term-schemas.ts'

export const {
  list: listCategories,
  create: createCategory,
  read: readCategory,
  update: updateCategory,
  remove: deleteCategory,
} = termEndpoints({
  path: '/admin/categories',
  audit: {
    resource: 'categories',
    create: 'postAdminCategories',
    update: 'patchAdminCategoriesCategoryId',
    delete: 'deleteAdminCategoriesCategoryId',
  },
  param: 'category_id',
  one: 'a category',
  many: 'categories',
  taxonomy: categories,
  view: viewCategory,
  returns: CategoryView,
  createBody: CreateCategoryRequest,
  updateBody: UpdateCategoryRequest,
  inUseWhen: 'it holds categories or products',
  example: categoryExample,
})

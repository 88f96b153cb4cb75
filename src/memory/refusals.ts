/** Refusals of the operations of memory besides those of their schemas (`EndpointSpec.refusals`). */

/** Of every operation that names a project. */
export const PROJECT_REFUSALS = {
  no_default_project: 'no project is named, and the credential has no default project or it is gone or barred',
}

/** Of every operation that reads several items. */
export const FILTER_REFUSALS = {
  ...PROJECT_REFUSALS,
  invalid_combination: '`namespace` comes beside `namespaces`',
  too_deep: '`AND`, `OR` and `NOT` of a filter nest more than 4 deep',
  too_big: 'a filter has more than 32 conditions or 256 values in all',
  invalid_path: 'a metadata path has more than 256 characters',
}

/** Of every operation that writes an item. */
export const ITEM_REFUSALS = {
  ...PROJECT_REFUSALS,
  too_large: '`metadata` has more than 16 KiB as JSON',
  invalid_instant: '`occurred_at` is no such day, or outside of the years 0001 to 9999',
  duplicate: '`permissions` names a user twice',
  not_private: '`permissions` come with another visibility than `private`',
  unknown_member: '`permissions` name somebody who is no member of the project',
  invalid_key: 'a key of `metadata` is `__proto__`',
}

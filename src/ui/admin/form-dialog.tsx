import { lazyComponent } from '#client/lazy.ts'

/**
 * A dialog with a form of staff. It comes when it is opened: the library of forms is the largest
 * part of most screens.
 */
export const FormDialog = lazyComponent(
  () => import('./form-dialog-content.tsx'),
  'FormDialog',
  null,
) as unknown as typeof import('./form-dialog-content.tsx').FormDialog

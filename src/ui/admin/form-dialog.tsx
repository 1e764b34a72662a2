import { lazyComponent } from '#client/lazy.ts'

/**
 * Form dialog of staff. It loads on demand, since the form library is the largest part of most
 * screens.
 */
export const FormDialog = lazyComponent(
  () => import('./form-dialog-content.tsx'),
  'FormDialog',
  null,
) as unknown as typeof import('./form-dialog-content.tsx').FormDialog

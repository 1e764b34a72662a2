import { t } from '@lingui/core/macro'
import { showSnackbar } from './snackbar.tsx'

/** Announces that the action continues once there is a connection. */
export const notifyOffline = (): void => showSnackbar('info', t`Menunggu koneksi`)

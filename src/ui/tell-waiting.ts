import { t } from '@lingui/core/macro'
import { showSnackbar } from './snackbar.tsx'

/** Says that what somebody asked for goes on once there is a connection. */
export const tellWaiting = (): void => showSnackbar('info', t`Menunggu koneksi`)

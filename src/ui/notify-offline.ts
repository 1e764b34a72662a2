import { t } from '@lingui/core/macro'
import { showSnackbar } from './snackbar.tsx'

export const notifyOffline = (): void => showSnackbar('info', t`Menunggu koneksi`)

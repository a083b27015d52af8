// The profile in the examples of help.

/** A built-in one, whose name says its Windows, its plugin and its mode. */
export const exampleProfile = 'ws2022-flannel-overlay'

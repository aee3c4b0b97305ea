/** The heading of a server's details, which gets the focus when another server is opened. */
export const DETAILS_TITLE_ID = 'server-title';

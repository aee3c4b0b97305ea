/** The heading of the details of a server: the focus goes there when another server is opened. */
export const DETAILS_TITLE_ID = 'server-title';

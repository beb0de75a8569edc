export const germanErrors = {
  'You are not allowed to see this.': 'Sie dürfen dies nicht sehen.',
  'You are not allowed to do this.': 'Sie dürfen dies nicht tun.',
  'A required object does not exist, or you are not allowed to see it.':
    'Ein benötigtes Objekt existiert nicht, oder Sie dürfen es nicht sehen.',
  'The request was rejected.': 'Die Anfrage wurde abgelehnt.',
  'The request needs too many calls of the document service.':
    'Die Anfrage erfordert zu viele Aufrufe des Dokumentendienstes.',
  'The document service has changed nothing.': 'Der Dokumentendienst hat nichts geändert.',
  'The document service sent an invalid response.':
    'Der Dokumentendienst hat eine ungültige Antwort gesendet.',
  'An unexpected error occurred in the gateway.':
    'Im Gateway ist ein unerwarteter Fehler aufgetreten.',
  'The gateway reported an error.': 'Das Gateway hat einen Fehler gemeldet.',
  'The gateway does not accept this version of the page. Load it again.':
    'Das Gateway akzeptiert diese Version der Seite nicht. Laden Sie sie neu.',
  'There were too many requests. Wait a minute and try again.':
    'Es wurden zu viele Anfragen gesendet. Warten Sie eine Minute und versuchen Sie es erneut.',
  'Your sign-in has expired. Try again.': 'Ihre Anmeldung ist abgelaufen. Versuchen Sie es erneut.',
  'The document service did not respond in time. Try again.':
    'Der Dokumentendienst hat nicht rechtzeitig geantwortet. Versuchen Sie es erneut.',
  'The document service is not available at the moment. Try again later.':
    'Der Dokumentendienst ist zurzeit nicht verfügbar. Versuchen Sie es später erneut.',
  'The gateway is restarting. Try again.': 'Das Gateway startet neu. Versuchen Sie es erneut.',
  'The response of the gateway is incomplete. Try again.':
    'Die Antwort des Gateways ist unvollständig. Versuchen Sie es erneut.',
  'The gateway cannot be reached. Check your connection and try again.':
    'Das Gateway ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',

  'Your sign-in had expired. Nothing was sent: send it again.':
    'Ihre Anmeldung war abgelaufen. Es wurde nichts gesendet: Senden Sie erneut.',
  'The connection was lost. Check whether the change was made before you send it again.':
    'Die Verbindung wurde unterbrochen. Prüfen Sie, ob die Änderung erfolgt ist, bevor Sie sie erneut senden.',

  // Connection
  Connection: 'Verbindung',
  'The document service is not available.': 'Der Dokumentendienst ist nicht verfügbar.',
  'The gateway cannot be reached.': 'Das Gateway ist nicht erreichbar.',
  'The gateway is restarting.': 'Das Gateway wird neu gestartet.',
  'You are signed out.': 'Sie sind abgemeldet.',
  'You are offline.': 'Sie sind offline.',
  'There were too many requests.': 'Es wurden zu viele Anfragen gesendet.',
  'The connection is back. The data is current.':
    'Die Verbindung ist wieder da. Die Daten sind aktuell.',
  'The last data was received at {time}.': 'Die letzten Daten wurden um {time} empfangen.',
  'Try now': 'Jetzt versuchen',
  'Trying again…': 'Neuer Versuch …',
  'Next attempt in {seconds} s.': 'Nächster Versuch in {seconds} s.',
} as const;

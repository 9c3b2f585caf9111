// Every call of Zeta's document from Objective-C, compiled on macOS against the header of ZetaCompatibility
// (scripts/check-objective-c).
#import <Foundation/Foundation.h>
#import "ZetaCompatibility-Swift.h"

@interface Screen : NSObject
@end

@implementation Screen

- (void)configure:(NSURL *)server folder:(NSURL *)folder {
    ZTConfig *config = [[ZTConfig alloc]
        initWithServer:server
             directory:folder
                person:@"alice"
                 token:^(NSString *person, void (^answer)(NSString *, NSError *)) {
                     answer(person, nil);
                 }];
    [[ZetaClient shared] initializeWithConfig:config];
}

- (void)read:(NSString *)identifier {
    id<ZTAppInboxManagable> inbox = [ZetaClient shared].inbox;
    [inbox fetchMessagesWithCompletion:^(NSArray<ZTAppInboxMessage *> *messages, NSError *error) {
        for (ZTAppInboxMessage *message in messages) [self show:message];
    }];
    [inbox getUnreadMessagesWithCompletion:^(NSArray<ZTAppInboxMessage *> *messages, NSError *error) {}];
    [inbox getReadMessagesWithCompletion:^(NSArray<ZTAppInboxMessage *> *messages, NSError *error) {}];
    [inbox getMessageCountWithCompletion:^(NSInteger count, NSError *error) {}];
    [inbox getUnreadMessageCountWithCompletion:^(NSInteger count, NSError *error) {}];
    [inbox getReadMessageCountWithCompletion:^(NSInteger count, NSError *error) {}];
    [inbox getMessageFor:identifier completion:^(ZTAppInboxMessage *message, NSError *error) {}];
}

- (void)change:(NSArray<ZTAppInboxMessage *> *)messages {
    id<ZTAppInboxManagable> inbox = [ZetaClient shared].inbox;
    NSArray<NSString *> *ids = [messages valueForKey:@"messageId"];
    [inbox markMessageAsReadWithMessageId:ids[0] completion:^(NSError *error) {}];
    [inbox markAllMessagesAsReadWithIds:ids completion:^(NSArray<NSString *> *processed, NSError *error) {}];
    [inbox markMessageAsDeletedWithMessageId:ids[0] completion:^(NSError *error) {}];
    [inbox markAllMessagesAsDeletedWithIds:ids completion:^(NSArray<NSString *> *processed, NSError *error) {}];
    [inbox clearAllWithCompletion:^(NSError *error) {}];
}

- (void)show:(ZTAppInboxMessage *)message {
    NSTimeInterval expiry = message.expirationTimestamp.doubleValue / 1000.0;
    NSString *status = [ZTAppInboxMessageStatusHelper stringForStatus:message.status];
    BOOL isRead = [ZTAppInboxMessageStatusHelper statusForString:status] == ZTAppInboxMessageStatusRead;
    NSLog(@"%@ %@ %@ %@ %@ %@ %f %d", message.id, message.title, message.body, message.mediaUrl, message.templateId,
          message.additionalData, expiry, isRead || message.status == ZTAppInboxMessageStatusDeleted);
    for (ZTCtaAction *action in message.actionList) {
        NSString *value = action.value.length > 0 ? action.value : action.link;
        NSLog(@"%@ %@ %@", action.text, action.type, action.actionType);
        [[ZetaClient shared].inbox onMessageClickedWithMessageId:message.messageId
                                                     actionValue:value
                                                      completion:^(NSError *error) {}];
    }
}

@end
